import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { LazyBoundary } from "../../components/lazy-boundary";
import { notify } from "../../lib/notify";
import { useStatus } from "../../lib/status";

// Loaded only on sites with the check.
const loadHumanCheck = () => import("./human-check");

interface HumanCheckState {
  /** Shown in the form; empty on sites without the check. */
  widget: ReactNode;
  /**
   * Returns the token to send, "" if the site requires none; undefined, with a warning shown, while it is not ready. A
   * token works once: taking it makes the widget fetch another.
   */
  takeToken: () => string | undefined;
}

/** The human check of a form (specification section 5). */
export const useHumanCheck = (): HumanCheckState => {
  const { t } = useTranslation();
  const status = useStatus();
  const [token, setToken] = useState("");
  const [round, setRound] = useState(0);
  if (!status?.turnstile_check) return { widget: null, takeToken: () => "" };
  return {
    widget: (
      <LazyBoundary
        key={round}
        load={loadHumanCheck}
        with={{ siteKey: status.turnstile_site_key, onToken: setToken }}
      />
    ),
    takeToken: () => {
      if (token === "") {
        notify.warning(t("human.checking"));
        return undefined;
      }
      setToken("");
      setRound(round + 1);
      return token;
    },
  };
};
