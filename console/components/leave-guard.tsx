import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { LazyBoundary } from "./lazy-boundary";

// Loaded with the first question.
const loadConfirmDialog = () => import("./confirm-dialog");

export interface LeaveQuestion {
  question: string;
  consequence: string;
  confirm: string;
  cancel: string;
}

interface LeaveGuardProps {
  isChanged: boolean;
  /** The typed data is being saved: the page may be left, unless there is a question for this time. */
  isSaving: boolean;
  savingQuestion?: LeaveQuestion | undefined;
}

/** Asks before a changed form is left: by a link, the back button, a reload or closing the window. */
export const LeaveGuard = ({ isChanged, isSaving, savingQuestion }: LeaveGuardProps) => {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    // A user redirected to the login page has no session left to save with.
    shouldBlockFn: ({ current, next }) =>
      (!isSaving || savingQuestion !== undefined) &&
      current.pathname !== next.pathname &&
      next.pathname !== "/login",
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <LazyBoundary
      load={loadConfirmDialog}
      with={{
        isOpen: true,
        onOpenChange: (isOpen: boolean) => {
          if (!isOpen) reset();
        },
        ...(savingQuestion ?? {
          question: t("leave.question"),
          consequence: t("leave.consequence"),
          confirm: t("leave.confirm"),
          cancel: t("leave.stay"),
        }),
        onConfirm: async () => proceed(),
      }}
      // If the question cannot load, the page stays with the typed data.
      onMissing={reset}
    />
  );
};
