import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/text-field";

interface WechatWindowProps {
  title: string;
  /** What its button says. */
  confirm: string;
  qrCode: string;
  isBusy: boolean;
  onClose: () => void;
  onCode: (code: string) => void;
}

/** The window with the QR image and the code that the official account answers with. */
export const WechatWindow = ({ title, confirm, qrCode, isBusy, onClose, onCode }: WechatWindowProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const code = String(new FormData(event.currentTarget).get("code")).trim();
          if (code !== "") onCode(code);
        }}
      >
        {qrCode !== "" && (
          <img
            src={qrCode}
            alt={t("wechat.qrCode")}
            className="mx-auto size-48 rounded-md bg-white object-contain"
          />
        )}
        <p className="text-ink-2">{t("wechat.instruction")}</p>
        <TextField label={t("wechat.code")} name="code" autoComplete="one-time-code" required />
        <Button type="submit" look="primary" isBusy={isBusy}>
          {confirm}
        </Button>
      </form>
    </Dialog>
  );
};
