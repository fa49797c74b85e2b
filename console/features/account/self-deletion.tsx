import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { clearCache } from "../../lib/query-client";
import { forgetUser } from "../../lib/session";
import { useDeleteSelf } from "./delete-self";

/** The window that deletes one's own account after its name is typed. */
const SelfDeletion = ({ username, onClose }: { username: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteSelf();
  const queryClient = useQueryClient();
  const leave = async () => {
    notify.success(t("personal.deleted"));
    await navigate({ to: "/login" });
    // Must run after leaving the pages that show the account.
    forgetUser();
    clearCache(queryClient);
  };
  const [isMismatch, setMismatch] = useState(false);
  return (
    <Dialog isOpen onClose={onClose} title={t("personal.delete")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = String(new FormData(event.currentTarget).get("username") ?? "");
          setMismatch(typed !== username);
          if (typed !== username) return;
          // The query client has reported a failure.
          remove
            .mutateAsync()
            .then(leave)
            .catch(() => undefined);
        }}
      >
        <p className="text-ink-2">{t("personal.deleteText")}</p>
        <TextField
          label={t("personal.deletePrompt", { name: username })}
          name="username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={isMismatch ? t("personal.deleteMismatch") : undefined}
        />
        <DialogActions>
          <Button type="submit" variant="danger" isBusy={remove.isPending}>
            {t("personal.deleteConfirm")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default SelfDeletion;
