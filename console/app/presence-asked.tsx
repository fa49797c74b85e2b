import { LazyBoundary } from "../components/lazy-boundary";
import { loadTexts } from "../lib/i18n";
import { answerPresence, usePresenceAsked } from "../lib/presence";
import { useSignOut } from "./use-sign-out";

const loadWindow = async () => {
  const [window] = await Promise.all([import("../features/account/presence-window"), loadTexts(["account"])]);
  return window;
};

/** Lets the user confirm to be at the browser while calls wait for it. */
export const PresenceAsked = () => {
  const isAsked = usePresenceAsked();
  const signOut = useSignOut();
  if (!isAsked) return null;
  const refuse = () => answerPresence(false);
  return (
    <LazyBoundary
      load={loadWindow}
      with={{
        onConfirmed: () => answerPresence(true),
        onClose: refuse,
        onSignIn: () => {
          refuse();
          void signOut();
        },
      }}
      onMissing={refuse}
    />
  );
};
