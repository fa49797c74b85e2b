import type { ModelStatus } from "@tollgate/contract/api/model-status";
import { useTranslation } from "react-i18next";
import { STATUS_SPANS } from "./bar-lines";
import { StatusBars, StatusHead } from "./status-bars";

/** One model's success over a day, a week and a month; empty for an unwatched model. */
export const OneModelStatus = ({
  status,
  updatedAt,
}: {
  status: ModelStatus | undefined;
  updatedAt: number;
}) => {
  const { t } = useTranslation();
  if (!status) return null;
  const title = t("modelStatus.title");
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <h2 className="flex h-11 items-center px-4 font-semibold text-base">{title}</h2>
      <div className="border-line border-t" />
      <StatusHead label={t("modelStatus.span")} course={t("modelStatus.course")} />
      <ul>
        {STATUS_SPANS.map((span) => (
          <StatusBars
            key={span}
            model={status}
            span={span}
            updatedAt={updatedAt}
            label={t(`modelStatus.spans.${span}`)}
          />
        ))}
      </ul>
    </section>
  );
};
