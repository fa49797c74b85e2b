import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { FRAME_SANDBOX } from "../lib/frame-sandbox";

/** Another site in a frame, with a link to it: a site that refuses to be framed leaves the frame empty. */
export const FramedSite = ({ url, title, className }: { url: string; title: string; className: string }) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2">
      <iframe
        sandbox={FRAME_SANDBOX}
        src={url}
        title={title}
        className={clsx("min-h-96 w-full rounded-lg border border-line bg-white", className)}
      />
      <p className="text-ink-3 text-sm">
        {t("frame.empty")}{" "}
        <a
          className="touch text-accent underline underline-offset-2"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t("frame.open")}
        </a>
      </p>
    </div>
  );
};
