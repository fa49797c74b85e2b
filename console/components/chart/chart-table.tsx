import { useTranslation } from "react-i18next";
import { type ChartData, stackHeight } from "./chart-data";

interface ChartTableProps extends ChartData {
  label: string;
  /** Otherwise only for screen readers. */
  isShown: boolean;
  onPick?: (span: number) => void;
}

/** A chart's numbers as a table: for screen readers in place of the picture, and for others on demand. */
export const ChartTable = ({ label, spans, series, kind, measure, isShown, onPick }: ChartTableProps) => {
  const { t } = useTranslation();
  const hasTotal = kind === "bars" && series.length > 1;
  const text = (value: number | undefined) => (value === undefined ? "–" : measure.format(value));
  return (
    <div className={isShown ? "overflow-auto border-line border-t" : "sr-only"} style={{ maxHeight: 380 }}>
      <table aria-label={label} className="w-full border-collapse text-sm tabular-nums">
        <thead>
          <tr className="text-xs text-ink-2">
            <th scope="col" className="sticky top-0 h-8 bg-surface px-4 text-start font-medium">
              {t("chart.time")}
            </th>
            {series.map(({ key, label: name }) => (
              <th
                key={key}
                scope="col"
                className="sticky top-0 h-8 whitespace-nowrap bg-surface px-3 text-end font-medium last:pe-4"
              >
                {name}
              </th>
            ))}
            {hasTotal && (
              <th scope="col" className="sticky top-0 h-8 bg-surface px-4 text-end font-medium">
                {t("chart.total")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {spans.map(({ name, isOpen }, span) => (
            <tr key={name} className="border-line border-t">
              <th scope="row" className="h-8 whitespace-nowrap px-4 text-start font-normal">
                {isShown && onPick ? (
                  <button
                    type="button"
                    onClick={() => onPick(span)}
                    className="rounded-sm text-accent underline-offset-2 hover:underline"
                  >
                    {isOpen ? t("chart.open", { name }) : name}
                  </button>
                ) : isOpen ? (
                  t("chart.open", { name })
                ) : (
                  name
                )}
              </th>
              {series.map(({ key, values }) => (
                <td key={key} className="px-3 text-end last:pe-4">
                  {text(values[span])}
                </td>
              ))}
              {hasTotal && (
                <td className="px-4 text-end font-medium">{measure.format(stackHeight(series, span))}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
