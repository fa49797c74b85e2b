import { useTranslation } from "react-i18next";
import { notify } from "../../lib/notify";
import { useBindWechat } from "./api/bind-wechat";
import { WechatWindow } from "./wechat-window";

/** Binds a WeChat account with a code of the official account. */
const WechatBinding = ({ qrCode, onClose }: { qrCode: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const bind = useBindWechat();
  return (
    <WechatWindow
      title={t("personal.bindWechat")}
      confirm={t("personal.submitBind")}
      qrCode={qrCode}
      isBusy={bind.isPending}
      onClose={onClose}
      onCode={(code) =>
        bind.mutate(code, {
          onSuccess: () => {
            notify.success(t("personal.wechatBound"));
            onClose();
          },
        })
      }
    />
  );
};

export default WechatBinding;
