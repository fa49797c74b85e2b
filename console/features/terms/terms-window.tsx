import { acceptTerms } from "@tollgate/contract/api/terms";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { TermsLinks } from "../../components/terms-links";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

interface TermsWindowProps {
  version: number;
  /** The user accepted an earlier version. */
  isAgain: boolean;
  onClose: () => void;
}

/** Asks a user to accept the site's terms. */
const TermsWindow = ({ version, isAgain, onClose }: TermsWindowProps) => {
  const { t } = useTranslation();
  const accept = useEndpoint(acceptTerms);
  const done = () => {
    notify.success(t("terms.accepted"));
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t(isAgain ? "terms.changed" : "terms.first")}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-ink-2">{t(isAgain ? "terms.changedText" : "terms.firstText")}</p>
        <p>
          <TermsLinks opensTab className="text-accent underline underline-offset-2" />
        </p>
        <DialogActions>
          <Button
            variant="primary"
            isBusy={accept.isPending}
            onClick={() => accept.mutate({ body: { version } }, { onSuccess: done })}
          >
            {t("terms.accept")}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
};

export default TermsWindow;
