import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { LazyBoundary } from "../../components/lazy-boundary";
import { notify } from "../../lib/notify";
import { useStatus } from "../../lib/status";

// Only sites with the check on load it.
const loadHumanCheck = () => import("./human-check");

interface HumanCheckState {
  /** Stands in the form; nothing where the site checks nobody. */
  widget: ReactNode;
  /**
   * The proof to send along, "" where the site asks for none; undefined, with a warning shown, while it is not ready.
   * A proof works once: taking it makes the widget fetch another.
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
