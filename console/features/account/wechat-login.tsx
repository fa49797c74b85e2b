import type { User } from "@tollgate/contract/control/user";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/text-field";
import { useLogInWithWechat } from "./api/log-in-with-wechat";

interface WechatLoginProps {
  qrCode: string;
  onClose: () => void;
  onUser: (user: User) => void;
}

/** The window with the QR image and the code that the official account answers with. */
const WechatLogin = ({ qrCode, onClose, onUser }: WechatLoginProps) => {
  const { t } = useTranslation();
  const logIn = useLogInWithWechat();
  return (
    <Dialog isOpen onClose={onClose} title={t("login.wechat")}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const code = String(new FormData(event.currentTarget).get("code")).trim();
          if (code !== "") logIn.mutate(code, { onSuccess: (user) => onUser(user) });
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
        <Button type="submit" look="primary" isBusy={logIn.isPending}>
          {t("login.submit")}
        </Button>
      </form>
    </Dialog>
  );
};

export default WechatLogin;
