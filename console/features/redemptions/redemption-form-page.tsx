import {
  changeRedemption,
  createRedemptions,
  MAX_REDEMPTION_COUNT,
  MAX_REDEMPTION_NAME,
  MAX_REDEMPTION_USES,
} from "@tollgate/contract/api/redemptions";
import { useTranslation } from "react-i18next";
import { DateTimeField } from "../../components/date-time-field";
import { EditPage, FormPage } from "../../components/form-page";
import { QuotaInput } from "../../components/quota-field";
import { TextField, WholeNumberField } from "../../components/text-field";
import { downloadText } from "../../lib/download-text";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { type RecordFormProps, useRecordForm } from "../../lib/use-fields";
import type { AtField } from "../../lib/use-refusals";
import {
  NEW_REDEMPTION,
  type RedemptionFields,
  redemptionFieldsSchema,
  toRedemptionBody,
  toRedemptionBounds,
  toRedemptionFields,
} from "./redemption-form";
import { redemptionQuery } from "./redemption-queries";
import { RedemptionUses } from "./redemption-uses";

/** /redemption/add */
export const AddRedemptionPage = () => <RedemptionForm initial={NEW_REDEMPTION} />;

/** /redemption/edit/{id} */
export const EditRedemptionPage = () => {
  const { t } = useTranslation();
  return (
    <EditPage title={t("redemption.editTitle")} query={redemptionQuery}>
      {(redemption, id) => (
        <div className="flex flex-col gap-6">
          <RedemptionForm id={id} initial={toRedemptionFields(redemption)} />
          {redemption.usedCount > 0 && (
            <div className="mx-auto w-full max-w-form">
              <RedemptionUses id={id} />
            </div>
          )}
        </div>
      )}
    </EditPage>
  );
};

/** Changes a code, or creates new ones and downloads them. */
const useSaveRedemption = (id: number | undefined, form: AtField) => {
  const { t } = useTranslation();
  const create = useEndpoint(createRedemptions, {
    ...form,
    onAnswer: (codes, { body }) => {
      const file = `${body.name}.txt`;
      downloadText(codes.map((code) => `${code}\n`).join(""), file);
      notify.info(t("redemption.created", { file }));
    },
  });
  const update = useEndpoint(changeRedemption, form);
  const save = (typed: RedemptionFields, before: RedemptionFields, onDone: () => void) => {
    const { name, quota, ...rest } = toRedemptionBody(typed);
    if (id !== undefined) {
      // Both are always sent: some servers overwrite missing values (contract section 6.4).
      const body = { id, name, quota, ...toRedemptionBounds(typed, before) };
      update.mutate({ body }, { onSuccess: onDone });
      return;
    }
    create.mutate({ body: { name, quota, ...rest } }, { onSuccess: onDone });
  };
  return { save, isSaving: create.isPending || update.isPending };
};

const RedemptionForm = ({ id, initial }: RecordFormProps<RedemptionFields>) => {
  const { t } = useTranslation();
  const schema = redemptionFieldsSchema(id === undefined);
  const wireNames = { expired_time: "expires", max_uses: "uses" } as const;
  const form = useRecordForm({ id, initial, schema, wireNames, list: "/redemption" });
  const { save, isSaving } = useSaveRedemption(id, form);
  return (
    <FormPage
      title={form.isNew ? t("redemption.addTitle") : t("redemption.editTitle")}
      description={form.isNew ? t("redemption.downloadHint") : undefined}
      isSaving={isSaving}
      {...form.page((typed) => save(typed, form.before, () => form.done()))}
    >
      <TextField
        label={t("field.name")}
        isRequired={form.isNew}
        maxLength={MAX_REDEMPTION_NAME}
        autoComplete="off"
        placeholder={t("redemption.namePlaceholder")}
        {...form.text("name")}
      />
      <QuotaInput label={t("field.quota")} startsIn="points" min={1} {...form.quota("quota")} />
      <div className="grid gap-5 wide:grid-cols-2">
        {form.isNew && (
          <WholeNumberField
            label={t("redemption.count")}
            min={1}
            max={MAX_REDEMPTION_COUNT}
            {...form.text("count", { max: MAX_REDEMPTION_COUNT })}
          />
        )}
        <WholeNumberField
          label={t("redemption.uses")}
          min={1}
          max={MAX_REDEMPTION_USES}
          hint={t("redemption.usesHint")}
          {...form.text("uses", { max: MAX_REDEMPTION_USES })}
        />
      </div>
      <DateTimeField
        label={t("redemption.expires")}
        placeholder={t("redemption.expiresNever")}
        {...form.value("expires")}
      />
    </FormPage>
  );
};
