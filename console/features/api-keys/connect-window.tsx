import type { ApiKey } from "@tollgate/contract/api/api-keys";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog";
import { ConnectKey } from "./connect-key";

interface ConnectWindowProps {
  token: ApiKey;
  onClose: () => void;
}

/** Instructions to use one key, over the list of keys. */
const ConnectWindow = ({ token, onClose }: ConnectWindowProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen isWide onClose={onClose} title={t("token.connect.title", { name: token.name })}>
      <ConnectKey token={token} />
    </Dialog>
  );
};

export default ConnectWindow;
