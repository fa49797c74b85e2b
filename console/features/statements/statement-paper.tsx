import { type StatementWire, statementQuotas } from "@tollgate/contract/api/statements";
import { readCurrency } from "@tollgate/contract/values/shown-amount";
import { withSymbol } from "@tollgate/contract/values/shown-currency";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { exactQuota, quotaDecimals, signedQuota } from "../../lib/exact-quota";
import { formatTime, isShownInCurrency, quotaPerUnit } from "../../lib/format";
import { useLedgerTexts } from "../../lib/use-ledger-texts";

interface LineProps {
  label: ReactNode;
  /** Number of entries or requests. */
  count?: string;
  amount: string;
  isSum?: boolean;
}

const Line = ({ label, count, amount, isSum = false }: LineProps) => (
  <tr className={clsx("border-line border-b", isSum && "font-semibold")}>
    <th scope="row" className={clsx("wrap-anywhere py-2 pe-3 text-start", !isSum && "font-normal")}>
      {label}
    </th>
    <td className="whitespace-nowrap py-2 pe-4 text-end text-sm text-ink-3 tabular-nums">{count}</td>
    <td className="whitespace-nowrap py-2 text-end tabular-nums">{amount}</td>
  </tr>
);

const Block = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="break-inside-avoid">
    <h2 className="border-line-strong border-b pb-1.5 font-semibold text-lg">{title}</h2>
    <table className="w-full" style={{ tableLayout: "fixed" }}>
      <colgroup>
        <col />
        <col style={{ width: "18%" }} />
        <col style={{ width: "42%" }} />
      </colgroup>
      <tbody>{children}</tbody>
    </table>
  </section>
);

/** A statement, for screen and print. */
export const StatementPaper = ({ statement, site }: { statement: StatementWire; site: string }) => {
  const { t } = useTranslation();
  const { causeText } = useLedgerTexts();
  const { opening, closing, movements, charged, models, tokens } = statement;
  const shown = readCurrency(statement);
  const places = quotaDecimals(statementQuotas(statement), shown);
  const amountOf = (quota: number | null): string =>
    quota === null ? t("statement.unknown") : exactQuota(quota, places, shown);
  const times = (count: number): string => t("statement.times", { count });
  const used = [
    { title: t("statement.byModel"), lines: models },
    { title: t("statement.byToken"), lines: tokens },
  ];
  return (
    <article className="flex flex-col gap-7 rounded-lg border border-line bg-surface p-4 wide:p-8 print:border-0 print:p-0">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <div className="min-w-0">
          <p className="text-sm text-ink-3">{site}</p>
          <p className="font-semibold text-xl leading-8">{t("statement.of", { month: statement.month })}</p>
          <p className="wrap-anywhere text-ink-2">
            {statement.username} <span className="text-ink-3">#{statement.user_id}</span>
          </p>
          {statement.title && (
            <p className="wrap-anywhere">
              {statement.title.name}{" "}
              {statement.title.tax_number !== "" && (
                <span className="text-ink-2">
                  {t("statement.taxNumber", { number: statement.title.tax_number })}
                </span>
              )}
            </p>
          )}
        </div>
        <div className="text-sm text-ink-2 tabular-nums">
          <p>
            {formatTime(statement.from)} – {formatTime(statement.end - 1)}
          </p>
          {shown && shown.currency !== "USD" && isShownInCurrency() && (
            <p>
              {t("statement.rate", {
                amount: withSymbol(shown.rate, shown),
                currency: shown.currency,
                points: quotaPerUnit().toLocaleString("en-US"),
              })}
            </p>
          )}
        </div>
      </header>
      {opening === null && <p className="text-ink-2">{t("statement.before")}</p>}
      {statement.is_partial && (
        <p className="text-ink-2">{t("statement.partial", { time: formatTime(statement.from) })}</p>
      )}
      <Block title={t("statement.balance")}>
        <Line label={t("statement.opening")} amount={amountOf(opening)} isSum />
        {movements.map(({ cause, entries, quota }) => (
          <Line
            key={cause}
            label={causeText(cause)}
            count={times(entries)}
            amount={signedQuota(quota, places, shown)}
          />
        ))}
        <Line
          label={t("statement.charged")}
          count={times(models.reduce((sum, { requests }) => sum + requests, 0))}
          amount={charged === 0 ? amountOf(0) : signedQuota(0 - charged, places, shown)}
        />
        <Line label={t("statement.closing")} amount={amountOf(closing)} isSum />
      </Block>
      {used.map(
        ({ title, lines }) =>
          lines.length > 0 && (
            <Block key={title} title={title}>
              {lines.map(({ key, name, requests, quota }) => (
                <Line
                  key={key}
                  label={name === "" ? `#${key}` : name}
                  count={times(requests)}
                  amount={amountOf(quota)}
                />
              ))}
              <Line label={t("statement.sum")} amount={amountOf(charged)} isSum />
            </Block>
          ),
      )}
    </article>
  );
};
