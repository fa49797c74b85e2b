import { LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Shown while a page's code loads. `prompt` names the page. */
export const PageLoading = ({ prompt }: { prompt?: string }) => {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex items-center justify-center gap-2 py-24 text-ink-2">
      <LoaderCircle aria-hidden className="size-4 animate-[spin_0.9s_linear_infinite]" />
      {prompt ? t("page.loadingNamed", { prompt }) : t("page.loading")}
    </div>
  );
};
