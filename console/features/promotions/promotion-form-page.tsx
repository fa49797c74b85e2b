import { useQuery } from "@tanstack/react-query";
import {
  changePromotion,
  createPromotions,
  MAX_PROMOTION_COUNT,
  MAX_PROMOTION_NAME,
} from "@tollgate/contract/api/promotions";
import {
  PROMOTION_EFFECTS,
  PROMOTION_KINDS,
  PROMOTION_PRODUCTS,
  PROMOTION_UNITS,
} from "@tollgate/contract/payments/promotions";
import { isRoot } from "@tollgate/contract/values/roles";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { ChoicesField } from "../../components/choices-field";
import { DateTimeField } from "../../components/date-time-field";
import { Field, groupProps } from "../../components/field";
import { EditPage, FormPage } from "../../components/form-page";
import { QuotaInput } from "../../components/quota-field";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextField, WholeNumberField } from "../../components/text-field";
import { downloadText } from "../../lib/download-text";
import { groupsQuery } from "../../lib/groups";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { useEndpoint } from "../../lib/use-endpoint";
import { type FieldsForm, type RecordFormProps, useRecordForm } from "../../lib/use-fields";
import type { AtField } from "../../lib/use-refusals";
import {
  NEW_PROMOTION,
  type PromotionFields,
  promotionFieldsSchema,
  toPromotionBody,
  toPromotionFields,
} from "./promotion-form";
import { promotionQuery } from "./promotion-queries";
import { PromotionSteps } from "./promotion-steps";
import { PromotionUses } from "./promotion-uses";

/** /promotion/add */
export const AddPromotionPage = () => <PromotionForm initial={NEW_PROMOTION} />;

/** /promotion/edit/{id} */
export const EditPromotionPage = () => {
  const { t } = useTranslation();
  return (
    <EditPage title={t("promotion.editTitle")} query={promotionQuery}>
      {(promotion, id) => (
        <div className="flex flex-col gap-6">
          <PromotionForm id={id} initial={toPromotionFields(promotion)} />
          <div className="mx-auto w-full max-w-form">
            <PromotionUses id={id} />
          </div>
        </div>
      )}
    </EditPage>
  );
};

/** Changes a promotion, or creates an activity or codes; several codes are downloaded. */
const useSavePromotion = (id: number | undefined, form: AtField) => {
  const { t } = useTranslation();
  const create = useEndpoint(createPromotions, {
    ...form,
    onAnswer: (made, { body }) => {
      if (made.length <= 1) return;
      const file = `${body.name || "codes"}.txt`;
      downloadText(made.map((each) => `${each.code}\n`).join(""), file);
      notify.info(t("promotion.downloaded", { file }));
    },
  });
  const update = useEndpoint(changePromotion, form);
  const save = (typed: PromotionFields, onDone: () => void) => {
    const body = toPromotionBody(typed);
    if (id !== undefined) {
      update.mutate({ params: { id }, body }, { onSuccess: onDone });
      return;
    }
    const { kind, code, count } = typed;
    create.mutate(
      { body: { ...body, kind, ...(kind === "code" ? { code, count: Number(count) } : {}) } },
      { onSuccess: onDone },
    );
  };
  return { save, isSaving: create.isPending || update.isPending };
};

const PromotionForm = ({ id, initial }: RecordFormProps<PromotionFields>) => {
  const { t } = useTranslation();
  const form = useRecordForm({ id, initial, schema: promotionFieldsSchema, list: "/promotion" });
  const { save, isSaving } = useSavePromotion(id, form);
  return (
    <FormPage
      title={form.isNew ? t("promotion.addTitle") : t("promotion.editTitle")}
      isSaving={isSaving}
      {...form.page((typed) => save(typed, () => form.done()))}
    >
      {form.isNew && <NewPart form={form} />}
      <TextField
        label={t("promotion.name")}
        hint={t("promotion.nameHint")}
        autoComplete="off"
        {...form.text("name", { max: MAX_PROMOTION_NAME })}
      />
      <EffectPart form={form} />
      <ProductsField form={form} />
      <SwitchField label={t("promotion.isEnabled")} {...form.flag("isEnabled")} />
      <AudiencePart form={form} />
      <BoundsPart form={form} />
    </FormPage>
  );
};

interface PartProps {
  form: FieldsForm<PromotionFields>;
}

/** The kind of a new promotion, and its codes; neither changes later. */
const NewPart = ({ form }: PartProps) => {
  const { t } = useTranslation();
  const { user } = useSession();
  const kinds = user && isRoot(user.role) ? PROMOTION_KINDS : PROMOTION_KINDS.slice(0, 1);
  return (
    <>
      <SelectField
        label={t("promotion.kind")}
        hint={t("promotion.kindHint")}
        options={kinds.map((value) => ({ value, label: t(`promotion.kinds.${value}`) }))}
        {...form.value("kind")}
      />
      {form.watch("kind") === "code" && (
        <>
          <TextField
            label={t("promotion.code")}
            hint={t("promotion.codeHint")}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...form.text("code")}
          />
          <WholeNumberField
            label={t("promotion.count")}
            min={1}
            max={MAX_PROMOTION_COUNT}
            {...form.text("count", { max: MAX_PROMOTION_COUNT })}
          />
        </>
      )}
    </>
  );
};

const EffectPart = ({ form }: PartProps) => {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid gap-5 wide:grid-cols-2">
        <SelectField
          label={t("promotion.effect")}
          options={PROMOTION_EFFECTS.map((value) => ({ value, label: t(`promotion.effects.${value}`) }))}
          {...form.value("effect")}
        />
        <SelectField
          label={t("promotion.unit")}
          options={PROMOTION_UNITS.map((value) => ({ value, label: t(`promotion.units.${value}`) }))}
          {...form.value("unit")}
        />
      </div>
      <PromotionSteps unit={form.watch("unit")} {...form.value("steps")} />
    </>
  );
};

const ProductsField = ({ form }: PartProps) => {
  const { t } = useTranslation();
  const products = form.value("products");
  return (
    <Field label={t("promotion.products")} hint={t("promotion.productsHint")} error={products.error}>
      {(control) => (
        <fieldset
          {...groupProps(control)}
          aria-label={t("promotion.products")}
          className="flex flex-wrap gap-x-6 gap-y-2"
        >
          {PROMOTION_PRODUCTS.map((product) => (
            <SwitchField
              key={product}
              label={t(`promotion.product.${product}`)}
              isOn={products.value.includes(product)}
              onChange={(isOn) =>
                products.onChange(
                  PROMOTION_PRODUCTS.filter((each) =>
                    each === product ? isOn : products.value.includes(each),
                  ),
                )
              }
            />
          ))}
        </fieldset>
      )}
    </Field>
  );
};

const AUDIENCE = ["groups", "isFirstOnly", "isCombinable"] as const;
const BOUNDS = ["startsAt", "endsAt", "maxUses", "maxUsesPerUser", "maxEffect", "maxTotal"] as const;

interface FoldedPartProps extends PartProps {
  part: "audience" | "bounds";
  fields: readonly (keyof PromotionFields)[];
  children: ReactNode;
}

/** Fields that many promotions leave as they are: open if this one does not. */
const FoldedPart = ({ form, part, fields, children }: FoldedPartProps) => {
  const { t } = useTranslation();
  return (
    <AdvancedSection
      title={t(`promotion.${part}`)}
      hint={t(`promotion.${part}Hint`)}
      isOpen={fields.some((name) => String(form.before[name]) !== String(NEW_PROMOTION[name]))}
      hasMistake={fields.some((name) => form.errors[name])}
    >
      {children}
    </AdvancedSection>
  );
};

const AudiencePart = ({ form }: PartProps) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <FoldedPart form={form} part="audience" fields={AUDIENCE}>
      <ChoicesField
        label={t("promotion.groups")}
        hint={t("promotion.groupsHint")}
        options={groups}
        allowsOthers
        {...form.value("groups")}
      />
      <SwitchField
        label={t("promotion.isFirstOnly")}
        hint={t("promotion.isFirstOnlyHint")}
        {...form.flag("isFirstOnly")}
      />
      <SwitchField
        label={t("promotion.isCombinable")}
        hint={t("promotion.isCombinableHint")}
        {...form.flag("isCombinable")}
      />
    </FoldedPart>
  );
};

const BoundsPart = ({ form }: PartProps) => {
  const { t } = useTranslation();
  return (
    <FoldedPart form={form} part="bounds" fields={BOUNDS}>
      <div className="grid gap-5 wide:grid-cols-2">
        <DateTimeField
          label={t("promotion.startsAt")}
          hint={t("promotion.startsHint")}
          {...form.value("startsAt")}
        />
        <DateTimeField
          label={t("promotion.endsAt")}
          hint={t("promotion.endsHint")}
          {...form.value("endsAt")}
        />
        <WholeNumberField
          label={t("promotion.maxUses")}
          min={0}
          hint={t("promotion.zeroHint")}
          {...form.text("maxUses")}
        />
        <WholeNumberField
          label={t("promotion.maxUsesPerUser")}
          min={0}
          hint={t("promotion.zeroHint")}
          {...form.text("maxUsesPerUser")}
        />
      </div>
      <QuotaInput
        label={t("promotion.maxEffect")}
        hint={t("promotion.maxEffectHint")}
        {...form.quota("maxEffect")}
      />
      <QuotaInput
        label={t("promotion.maxTotal")}
        hint={t("promotion.maxTotalHint")}
        {...form.quota("maxTotal")}
      />
    </FoldedPart>
  );
};
