import { MessagesSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state";
import { FramedSite } from "../../components/framed-site";
import { chatLink } from "../../lib/status";

/** /chat: the configured chat client, filling the page. */
export const ChatPage = () => {
  const { t } = useTranslation();
  const link = chatLink();
  return (
    <>
      <h1 className="sr-only">{t("nav.chat")}</h1>
      {/^https?:\/\//.test(link) ? (
        <FramedSite url={link} title={t("nav.chat")} className="h-[calc(100dvh-180px)]" />
      ) : (
        <EmptyState icon={<MessagesSquare />} title={t("chat.missing")} text={t("chat.missingText")} />
      )}
    </>
  );
};
