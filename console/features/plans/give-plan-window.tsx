import { useQuery } from "@tanstack/react-query";
import { givePlan } from "@tollgate/contract/api/plans";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { SelectField } from "../../components/select-field";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { allPlansQuery } from "./plan-queries";

interface GivePlanWindowProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Gives a user a plan. */
export const GivePlanWindow = ({ isOpen, onClose }: GivePlanWindowProps) => {
  const { t } = useTranslation();
  const { data: plans = [] } = useQuery({ ...allPlansQuery, enabled: isOpen });
  const refused = useMistakes();
  const give = useEndpoint(givePlan, refused);
  const [chosen, setChosen] = useState<number>();
  const [user, setUser] = useState("");
  const [isChecked, setChecked] = useState(false);
  const planId = chosen ?? plans[0]?.id;
  const isUser = /^[1-9]\d{0,14}$/.test(user.trim());
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t("plan.giveTitle")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          refused.begin(event.currentTarget);
          if (!isUser || planId === undefined) return;
          give.mutate(
            { body: { plan_id: planId, user_id: Number(user) } },
            {
              onSuccess: () => {
                notify.success(t("action.done"));
                setUser("");
                setChecked(false);
                onClose();
              },
            },
          );
        }}
      >
        <SelectField
          label={t("plan.plan")}
          error={isChecked && planId === undefined ? t("plan.emptyTitle") : undefined}
          value={planId ?? 0}
          onChange={setChosen}
          options={
            plans.length === 0
              ? [{ value: 0, label: t("plan.emptyTitle") }]
              : plans.map(({ id, title }) => ({ value: id, label: title }))
          }
        />
        <TextField
          label={t("plan.userId")}
          inputMode="numeric"
          autoComplete="off"
          value={user}
          hint={t("plan.giveHint")}
          error={isChecked && !isUser ? t("plan.userIdInvalid") : refused.of("user_id")}
          onChange={(event) => setUser(event.target.value)}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={give.isPending}>
            {t("plan.give")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
