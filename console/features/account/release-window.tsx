import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog";
import { RichText } from "../../components/rich-text";
import type { Release } from "./get-latest-release";

/** The release notes of a newer release. */
const ReleaseWindow = ({ release, onClose }: { release: Release; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen onClose={onClose} title={t("personal.newVersion", { tag: release.tag_name })}>
      <RichText source={release.body} />
    </Dialog>
  );
};

export default ReleaseWindow;
