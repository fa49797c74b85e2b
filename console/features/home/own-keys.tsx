import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ApiKey, listApiKeys } from "@tollgate/contract/api/api-keys";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatQuota, formatTime } from "../../lib/format";
import { queriesLists } from "../../lib/status";

const SHOWN = 5;

/** The signed-in user's keys, the last used first. */
export const OwnKeys = () => {
  const { t } = useTranslation();
  const { data: tokens } = useQuery({
    // Servers that do not sort return the newest keys on the first page.
    ...endpointQuery(listApiKeys, { query: { p: 0, ...(queriesLists() && { sort: "-accessed_time" }) } }),
    meta: { silent: true },
  });
  const shown = tokens?.toSorted((a, b) => b.accessedTime - a.accessedTime).slice(0, SHOWN);
  const title = t("home.own.keys");
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <div className="flex h-11 items-center justify-between px-4">
        <h2 className="font-semibold text-base">{title}</h2>
        <Link to="/token" className="touch text-sm text-accent underline-offset-2 hover:underline">
          {t("home.own.allKeys")}
        </Link>
      </div>
      {shown?.length === 0 && (
        <div className="flex flex-col items-start gap-3 border-line border-t px-4 py-4 text-sm text-ink-2">
          {t("home.own.noKeys")}
          <Link to="/token/add" className={buttonVariants({ variant: "primary" })}>
            {t("home.own.newKey")}
          </Link>
        </div>
      )}
      <ul className="divide-y divide-line border-line border-t empty:hidden">
        {shown?.map((key) => (
          <KeyLine key={key.id} token={key} />
        ))}
      </ul>
    </section>
  );
};

const KeyLine = ({ token }: { token: ApiKey }) => {
  const { t } = useTranslation();
  const { id, name, status, accessedTime, createdTime, unlimitedQuota, remainQuota, usedQuota, limits } =
    token;
  // For an unused key it equals the creation time.
  const isUsed = accessedTime > createdTime || usedQuota > 0;
  return (
    <li className="flex min-h-9 items-center gap-3 px-4 py-1.5 text-sm">
      <span className="min-w-0 flex-1">
        <StateMark tone={status === TOKEN_ENABLED ? "green" : "grey"}>
          <Link
            to="/token/$id"
            params={{ id: String(id) }}
            className="truncate underline-offset-2 hover:text-accent hover:underline"
          >
            {name === "" ? `#${id}` : name}
          </Link>
        </StateMark>
        <span className="block ps-[13px] text-xs text-ink-2 tabular-nums">
          {isUsed
            ? t("home.own.lastUsed", { time: formatTime(accessedTime).slice(0, 16) })
            : t("home.own.neverUsed")}
          {limits?.dailyQuota && ` · ${t("home.own.keyDaily", { amount: formatQuota(limits.dailyQuota) })}`}
          {limits?.monthlyQuota &&
            ` · ${t("home.own.keyMonthly", { amount: formatQuota(limits.monthlyQuota) })}`}
        </span>
      </span>
      <span className="whitespace-nowrap tabular-nums">
        {unlimitedQuota ? t("home.own.unlimited") : formatQuota(remainQuota)}
      </span>
    </li>
  );
};
