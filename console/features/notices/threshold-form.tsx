import { useQuery } from "@tanstack/react-query";
import type { NoticeThresholdWire } from "@tollgate/contract/api/notices";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { QuotaField } from "../../components/quota-field";
import { exactQuota } from "../../lib/exact-quota";
import { notify } from "../../lib/notify";
import { useMistakes } from "../../lib/use-mistakes";
import { thresholdQuery } from "./notice-queries";
import { useSetThreshold } from "./set-threshold";

/** The balance threshold for notifications; empty if the server reports none. */
export const ThresholdForm = () => {
  const { data } = useQuery(thresholdQuery);
  return data ? <LoadedForm threshold={data} /> : null;
};

/** @returns null for an empty field, undefined if invalid. */
const readQuota = (text: string): number | null | undefined => {
  const typed = text.trim();
  if (typed === "") return null;
  const quota = Number(typed);
  return /^\d+$/.test(typed) && Number.isSafeInteger(quota) ? quota : undefined;
};

const LoadedForm = ({ threshold: { own, site } }: { threshold: NoticeThresholdWire }) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const save = useSetThreshold(refused);
  const [text, setText] = useState(own === null ? "" : String(own));
  const [isMistake, setMistake] = useState(false);
  const quota = readQuota(text);
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        setMistake(quota === undefined);
        if (quota !== undefined)
          save.mutate(quota, { onSuccess: () => notify.success(t("notice.thresholdSaved")) });
      }}
    >
      <QuotaField
        layout="row"
        label={t("notice.threshold")}
        value={text}
        placeholder={t("notice.thresholdSite", { quota: exactQuota(site) })}
        hint={t("notice.thresholdHint", { quota: exactQuota(site) })}
        error={isMistake ? t("field.wholeNumber") : refused.of("own")}
        onChange={(points) => {
          setMistake(false);
          setText(points);
        }}
      />
      <div>
        <Button type="submit" isBusy={save.isPending}>
          {t("notice.thresholdSave")}
        </Button>
      </div>
    </form>
  );
};
