import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadTurnstile } from "./turnstile-script";

interface HumanCheckProps {
  siteKey: string;
  /** Called with each token, and with "" when it expires or fails. */
  onToken: (token: string) => void;
}

/** The widget of the human check. It may need no click and may be invisible. */
const HumanCheck = ({ siteKey, onToken }: HumanCheckProps) => {
  const { t, i18n } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  const tell = useEffectEvent(onToken);
  const language = i18n.language;

  // An effect, because Cloudflare's widget renders itself into the element.
  useEffect(() => {
    let widgetId: string | undefined;
    let isGone = false;
    const draw = async () => {
      const turnstile = await loadTurnstile();
      if (isGone || !place.current) return;
      widgetId = turnstile.render(place.current, {
        sitekey: siteKey,
        theme: document.documentElement.dataset.theme === "dark" ? "dark" : "light",
        language: language.toLowerCase(),
        callback: (token) => tell(token),
        "expired-callback": () => tell(""),
        "error-callback": () => tell(""),
      });
    };
    draw().catch(() => setBroken(true));
    return () => {
      isGone = true;
      if (widgetId !== undefined) window.turnstile?.remove(widgetId);
    };
  }, [siteKey, language]);

  return (
    <div>
      <section ref={place} aria-label={t("human.label")} />
      {isBroken && (
        <p role="alert" className="text-sm text-red">
          {t("human.failed")}
        </p>
      )}
    </div>
  );
};

export default HumanCheck;
