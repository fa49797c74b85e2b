import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { getModelStatus } from "@tollgate/contract/api/model-status";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import { RecordLink } from "../../components/record-link";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatSuccess } from "../../lib/format-measure";
import { useStatus } from "../../lib/status";

const SHOWN = 6;
/** Shares of success from which service is good, or at least limited. */
const WELL = 0.98;
const DOUBTFUL = 0.9;

const toneOf = (success: number): Tone =>
  success >= WELL ? "green" : success >= DOUBTFUL ? "yellow" : "red";

/** Service of the signed-in user's models in the last day, the worst first; empty if the site hides it. */
export const OwnModels = () => {
  const { t } = useTranslation();
  const { model_status: page = "off" } = useStatus() ?? {};
  const isShown = page === "public" || page === "signed-in";
  const { data } = useQuery({
    ...endpointQuery(getModelStatus, {}),
    staleTime: 60_000,
    meta: { silent: true },
    enabled: isShown,
  });
  const known = data?.models.flatMap(({ model, day: { success } }) =>
    typeof success === "number" ? [{ model, success }] : [],
  );
  if (!isShown || !known || known.length === 0) return null;
  const shown = known.toSorted((a, b) => a.success - b.success).slice(0, SHOWN);
  const title = t("home.own.models");
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <div className="flex h-11 items-center justify-between px-4">
        <h2 className="font-semibold text-base">{title}</h2>
        <Link to="/status" className="touch text-sm text-accent underline-offset-2 hover:underline">
          {t("home.own.allModels")}
        </Link>
      </div>
      <ul className="divide-y divide-line border-line border-t">
        {shown.map(({ model, success }) => (
          <li key={model} className="flex h-9 items-center justify-between gap-3 px-4 text-sm">
            <StateMark tone={toneOf(success)}>
              <span className="truncate">
                <RecordLink kind="model" id={model} />
              </span>
            </StateMark>
            <span className="tabular-nums">{formatSuccess(success)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
