import type { User } from "@tollgate/contract/management/user";
import { useTranslation } from "react-i18next";
import { useLogInWithWechat } from "./api/log-in-with-wechat";
import { WechatWindow } from "./wechat-window";

interface WechatLoginProps {
  qrCode: string;
  onClose: () => void;
  onUser: (user: User) => void;
}

/** Logs in with a code of the official account. */
const WechatLogin = ({ qrCode, onClose, onUser }: WechatLoginProps) => {
  const { t } = useTranslation();
  const logIn = useLogInWithWechat();
  return (
    <WechatWindow
      title={t("login.wechat")}
      confirm={t("login.submit")}
      qrCode={qrCode}
      isBusy={logIn.isPending}
      onClose={onClose}
      onCode={(code) => logIn.mutate(code, { onSuccess: (user) => onUser(user) })}
    />
  );
};

export default WechatLogin;
