import { publishPriceDraft, unschedulePriceDraft } from "@tollgate/contract/api/price-drafts";
import type { PriceDraft } from "@tollgate/contract/management/price-draft";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { DateTimeField } from "../../components/date-time-field";
import { LockedNote } from "../../components/locked-note";
import { SettingCard } from "../../components/setting-card";
import { formatTime, parseDate } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

import { rowsOf } from "./change-rows";

/** Publishes a draft, now or from a date on. */
export const PublishCard = ({ draft }: { draft: PriceDraft }) => {
  const { t } = useTranslation();
  const params = { id: draft.id };
  const refused = useMistakes();
  const publish = useEndpoint(publishPriceDraft, { atField: refused.atField, repeatsAlways: true });
  const unschedule = useEndpoint(unschedulePriceDraft, { repeatsAlways: true });
  const [from, setFrom] = useState("");
  const [isChecked, setChecked] = useState(false);
  const date = parseDate(from);
  const isAhead = date !== undefined && date.getTime() > Date.now();
  const { isRoot } = useSession();
  const { revision } = draft;
  const count = rowsOf(draft.changes).length;
  const isBlocked = !isRoot || draft.conflicts.length > 0 || count === 0;
  return (
    <SettingCard title={t("rehearsal.publish")} text={t("rehearsal.publishText")}>
      {!isRoot && <LockedNote text={t("rehearsal.rootPublishes")} />}
      {draft.fault !== "" && (
        <p role="alert" className="text-sm text-red">
          {t("rehearsal.wasRefused")}
        </p>
      )}
      {draft.state === "scheduled" ? (
        <div className="flex flex-wrap items-center gap-3">
          <p>{t("rehearsal.scheduledFor", { time: formatTime(draft.holds_from) })}</p>
          <Button
            disabled={!isRoot}
            isBusy={unschedule.isPending}
            onClick={() => unschedule.mutate({ params, body: { revision } })}
          >
            {t("rehearsal.unschedule")}
          </Button>
        </div>
      ) : (
        <>
          <ConfirmButton
            variant="primary"
            className="w-fit"
            disabled={isBlocked}
            isHarmless
            question={t("rehearsal.publishQuestion", { name: draft.name })}
            consequence={t("rehearsal.publishConsequence", { count })}
            confirm={t("rehearsal.publishNow")}
            onConfirm={() =>
              publish
                .mutateAsync({ params, body: { revision } })
                .then(() => notify.success(t("rehearsal.published")))
            }
          >
            {t("rehearsal.publishNow")}
          </ConfirmButton>
          <form
            noValidate
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              refused.begin(event.currentTarget);
              setChecked(true);
              if (date && isAhead)
                publish.mutate({ params, body: { revision, holds_from: Math.floor(date.getTime() / 1000) } });
            }}
          >
            <DateTimeField
              label={t("rehearsal.publishFrom")}
              value={from}
              error={
                refused.of("holds_from") ?? (isChecked && !isAhead ? t("rehearsal.dateAhead") : undefined)
              }
              onChange={setFrom}
              className="w-full wide:w-72"
            />
            <Button type="submit" disabled={isBlocked} isBusy={publish.isPending}>
              {t("rehearsal.schedule")}
            </Button>
          </form>
        </>
      )}
    </SettingCard>
  );
};
