import { MessagesSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state";
import { FRAME_SANDBOX } from "../../lib/frame-sandbox";
import { chatLink } from "../../lib/status";

/** /chat: the configured chat client, filling the page. */
export const ChatPage = () => {
  const { t } = useTranslation();
  const link = chatLink();
  return (
    <>
      <h1 className="sr-only">{t("nav.chat")}</h1>
      {/^https?:\/\//.test(link) ? (
        <iframe
          sandbox={FRAME_SANDBOX}
          src={link}
          title={t("nav.chat")}
          className="h-[calc(100dvh-150px)] min-h-96 w-full rounded-lg border border-line bg-white"
        />
      ) : (
        <EmptyState icon={<MessagesSquare />} title={t("chat.missing")} text={t("chat.missingText")} />
      )}
    </>
  );
};
