import { useQuery } from "@tanstack/react-query";
import { exportOwnStatement, exportStatement } from "@tollgate/contract/api/statements";
import { ChevronLeft, ChevronRight, FileText, Printer } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { FailedState } from "../../components/failed-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { SelectField } from "../../components/select-field";
import { TextField } from "../../components/text-field";
import { refusedField } from "../../lib/api-client";
import { failureText } from "../../lib/failure-text";
import { useFixedAddress } from "../../lib/fixed-address";
import { useSession } from "../../lib/session";
import { systemName } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { StatementPaper } from "./statement-paper";
import { statementParameters, statementQuery } from "./statement-query";
import { lastMonths, monthAfter, monthOf, readStatementSearch } from "./statement-search";

interface MonthChoiceProps {
  month: string;
  latest: string;
  onChange: (month: string) => void;
}

const MonthChoice = ({ month, latest, onChange }: MonthChoiceProps) => {
  const { t } = useTranslation();
  return (
    <div className="flex items-end gap-1">
      <Button
        size="icon"
        aria-label={t("statement.earlier")}
        title={t("statement.earlier")}
        onClick={() => onChange(monthAfter(month, -1))}
      >
        <ChevronLeft aria-hidden className="size-4" />
      </Button>
      <SelectField
        label={t("statement.month")}
        className="w-32"
        value={month}
        options={lastMonths(month, latest).map((value) => ({ value, label: value }))}
        onChange={onChange}
      />
      <Button
        size="icon"
        aria-label={t("statement.later")}
        title={t("statement.later")}
        disabled={month >= latest}
        onClick={() => onChange(monthAfter(month, 1))}
      >
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </div>
  );
};

/** /statement: balance, credits and usage of one month; of any user for administrators. It has a print layout. */
export const StatementPage = () => {
  const { t } = useTranslation();
  const { isAdmin, user } = useSession("balances");
  const fixed = useFixedAddress() ?? {};
  const [search, change] = useAddress(readStatementSearch);
  const [now] = useState(() => new Date());
  const [username, setUsername] = useState(search.username ?? "");
  const month = search.month ?? monthOf(now);
  const { data, error, refetch } = useQuery(statementQuery(month, search, isAdmin));
  const refusedName =
    isAdmin && error !== null && refusedField(error) === "username" ? failureText(error) : undefined;
  return (
    <div className="mx-auto w-full max-w-document">
      <PageFrame
        title={<span className="print:hidden">{t("statement.title")}</span>}
        description={<span className="print:hidden">{t("statement.description")}</span>}
      >
        <form
          className="flex flex-wrap items-end gap-3 print:hidden"
          onSubmit={(event) => {
            event.preventDefault();
            change({ username: username.trim() === "" ? undefined : username.trim() });
          }}
        >
          <MonthChoice month={month} latest={monthOf(now)} onChange={(next) => change({ month: next })} />
          {isAdmin && !("username" in fixed) && (
            <div className="flex items-end gap-2">
              <TextField
                label={t("account.username")}
                value={username}
                placeholder={user?.username}
                autoComplete="off"
                error={refusedName}
                onChange={({ target }) => setUsername(target.value)}
              />
              <Button type="submit">{t("statement.show")}</Button>
            </div>
          )}
          <div className="ms-auto flex gap-2">
            <ExportButton
              hasPdf
              file={isAdmin ? exportStatement : exportOwnStatement}
              query={() => statementParameters(month, search, isAdmin)}
            />
            <Button disabled={data?.statement === undefined} onClick={() => window.print()}>
              <Printer aria-hidden className="size-3.5" />
              {t("statement.print")}
            </Button>
          </div>
        </form>
        {refusedName !== undefined && !("username" in fixed) ? null : error ? (
          <Panel>
            <FailedState error={error} onRetry={() => void refetch()} />
          </Panel>
        ) : data === undefined ? (
          <div
            role="status"
            aria-label={t("page.loading")}
            className="skeleton rounded-lg"
            style={{ height: 420 }}
          />
        ) : data.statement === undefined ? (
          <Panel>
            <EmptyState
              icon={<FileText />}
              title={t("statement.missing")}
              text={t("statement.missingText")}
            />
          </Panel>
        ) : (
          <StatementPaper statement={data.statement} site={systemName()} />
        )}
      </PageFrame>
    </div>
  );
};
