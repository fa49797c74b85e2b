import type { PricedModel } from "@tollgate/contract/api/pricing";
import { MODALITIES, type Modality, type ModelFeature } from "@tollgate/contract/values/model-abilities";
import { clsx } from "clsx";
import { Check, CircleHelp, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { endpointsOf } from "./model-endpoints";

const CAN = ["tools", "structured", "reasoning", "streaming"] as const satisfies readonly ModelFeature[];

const MARKS = {
  yes: { Icon: Check, className: "text-green" },
  no: { Icon: X, className: "text-ink-3" },
  unknown: { Icon: CircleHelp, className: "text-ink-3" },
} as const;

type Answer = keyof typeof MARKS;

const answerOf = (isAble: boolean | undefined): Answer => {
  if (isAble === undefined) return "unknown";
  return isAble ? "yes" : "no";
};

/** The answers for each modality of a list that names all; all unknown without one. */
const modalitiesOf = (list: readonly Modality[] | undefined): [Modality, Answer][] =>
  MODALITIES.map((name) => [name, answerOf(list?.includes(name))]);

/** What a model reads, writes and can do, and the endpoints that reach it. What is not known is marked as such. */
export const ModelAbilities = ({ model }: { model: PricedModel }) => {
  const { t } = useTranslation();
  const { features = {} } = model;
  const endpoints = endpointsOf(model.model_name, model.traits);
  const title = t("abilities.title");
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <h2 className="flex min-h-11 items-center px-4 py-2 font-semibold text-base">{title}</h2>
      <dl className="border-line border-t">
        <Abilities
          label={t("abilities.reads")}
          answers={[...modalitiesOf(model.inputs), ["files", answerOf(features.files)]]}
        />
        <Abilities label={t("abilities.writes")} answers={modalitiesOf(model.outputs)} />
        <Abilities label={t("abilities.can")} answers={CAN.map((name) => [name, answerOf(features[name])])} />
        <div className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-4 py-2.5 first:border-t-0">
          <dt className="w-20 shrink-0 text-sm text-ink-2">{t("abilities.endpoints")}</dt>
          <dd className="min-w-0 flex-1 basis-56 text-sm">
            {endpoints.length === 0 ? (
              <span className="text-ink-2">{t("abilities.unknown")}</span>
            ) : (
              <ul className="flex flex-col gap-1.5">
                {endpoints.map(({ api, address }) => (
                  <li key={address} className="flex flex-wrap gap-x-2">
                    <span>{api}</span>
                    <code className="break-all font-mono text-ink-2 text-xs leading-5">{address}</code>
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
};

interface AbilitiesProps {
  label: string;
  answers: readonly (readonly [Modality | ModelFeature, Answer])[];
}

const Abilities = ({ label, answers }: AbilitiesProps) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-4 py-2.5 first:border-t-0">
      <dt className="w-20 shrink-0 text-sm text-ink-2">{label}</dt>
      <dd className="min-w-0 flex-1 basis-56">
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {answers.map(([name, answer]) => {
            const { Icon, className } = MARKS[answer];
            const state = t(`abilities.${answer}`);
            return (
              <li
                key={name}
                title={state}
                className={clsx("flex items-center gap-1", answer !== "yes" && "text-ink-2")}
              >
                <Icon aria-hidden className={clsx("size-3.5 shrink-0", className)} />
                <span className={clsx(answer === "no" && "line-through")}>{t(`abilities.${name}`)}</span>
                <span className="sr-only">{state}</span>
              </li>
            );
          })}
        </ul>
      </dd>
    </div>
  );
};
