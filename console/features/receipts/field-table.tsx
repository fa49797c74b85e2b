import { clsx } from "clsx";
import { useTranslation } from "react-i18next";

/** A field that differs between two bodies. */
export interface FieldRow {
  kind: string;
  from?: string | undefined;
  to?: string | undefined;
  before?: string | undefined;
  after?: string | undefined;
  count: number;
}

const KINDS = ["removed", "changed", "moved", "added"] as const;
const TONES = {
  removed: "text-red",
  changed: "text-yellow",
  moved: "text-ink-2",
  added: "text-green",
} as const;

/** Names and values are the sender's: plain text in a cell of limited width. */
const Field = ({ path, value }: { path: string | undefined; value: string | undefined }) => (
  <td className="min-w-36 max-w-80 px-2 py-2 align-top last:pe-0">
    {path !== undefined && <code className="block break-all font-mono text-xs">{path || "$"}</code>}
    {value !== undefined && <span className="mt-0.5 block break-all text-ink-2 text-xs">{value}</span>}
    {path === undefined && value === undefined && <span className="text-ink-3">–</span>}
  </td>
);

interface FieldTableProps {
  label: string;
  /** The names of the two bodies. */
  sides: readonly [string, string];
  /** The owner's version has no second side. */
  hasBoth: boolean;
  rows: readonly FieldRow[];
}

/** The fields that differ between two bodies: what became of each, and its values, cut. */
export const FieldTable = ({ label, sides, hasBoth, rows }: FieldTableProps) => {
  const { t } = useTranslation();
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a region that has the focus
      tabIndex={0}
      aria-label={label}
      className="overflow-x-auto"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-line border-b text-xs text-ink-2">
            <th scope="col" className="h-8 pe-2 text-start font-medium">
              {t("why.change")}
            </th>
            {(hasBoth ? sides : sides.slice(0, 1)).map((side) => (
              <th key={side} scope="col" className="px-2 text-start font-medium">
                {side}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, from, to, before, after, count }) => {
            const known = KINDS.find((each) => each === kind);
            return (
              <tr key={`${kind} ${from} ${to} ${before}`} className="border-line border-b last:border-b-0">
                <td className={clsx("whitespace-nowrap py-2 pe-2 align-top", known && TONES[known])}>
                  {known ? t(`why.kind.${known}`) : kind}
                  {count > 1 && <span className="ms-1 text-ink-2 tabular-nums">× {count}</span>}
                </td>
                <Field path={from} value={before} />
                {hasBoth && <Field path={to} value={after} />}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};
