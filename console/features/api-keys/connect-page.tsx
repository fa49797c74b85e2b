import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ApiKey, listApiKeys } from "@tollgate/contract/api/api-keys";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { SelectField } from "../../components/select-field";
import { endpointQuery } from "../../lib/endpoint-query";
import { useAddress } from "../../lib/use-address";
import { tokenQuery } from "./api-key-queries";
import { ConnectKey } from "./connect-key";

/** The key in the address; undefined for the last used one. */
const readConnectSearch = ({ id }: Record<string, unknown>): { id: number | undefined } => {
  const number = Number(id);
  return { id: Number.isSafeInteger(number) && number > 0 ? number : undefined };
};

/** /token/connect: instructions for programs to use one's own keys. */
export const ConnectPage = () => {
  const { t } = useTranslation();
  const [{ id }, change] = useAddress(readConnectSearch);
  const list = useQuery(endpointQuery(listApiKeys, { query: { p: 0 } }));
  const named = useQuery({ ...tokenQuery(id ?? 0), enabled: id !== undefined, meta: { silent: true } });
  const usable = list.data
    ?.filter(({ status }) => status === TOKEN_ENABLED)
    .toSorted((a, b) => b.accessedTime - a.accessedTime);
  const token = id === undefined ? usable?.[0] : (usable?.find((each) => each.id === id) ?? named.data);
  const error = list.error ?? (id === undefined ? null : named.error);
  return (
    <div className="mx-auto w-full max-w-document">
      <PageFrame title={t("token.connect.page")} description={t("token.connect.pageText")}>
        {token ? (
          <Panel>
            <ConnectKey
              key={token.id}
              token={token}
              before={
                <KeyChoice token={token} usable={usable ?? []} onChange={(next) => change({ id: next })} />
              }
            />
          </Panel>
        ) : error ? (
          <FailedState error={error} onRetry={() => void list.refetch()} />
        ) : usable ? (
          <EmptyState
            icon={<KeyRound />}
            title={t("token.connect.noKey")}
            text={t("token.connect.noKeyText")}
          >
            <Link to="/token/add" className={buttonVariants({ variant: "primary" })}>
              {t("token.add")}
            </Link>
          </EmptyState>
        ) : (
          <div className="skeleton h-96 w-full" />
        )}
      </PageFrame>
    </div>
  );
};

interface KeyChoiceProps {
  token: ApiKey;
  usable: readonly ApiKey[];
  onChange: (id: number) => void;
}

const KeyChoice = ({ token, usable, onChange }: KeyChoiceProps) => {
  const { t } = useTranslation();
  const offered = usable.some(({ id }) => id === token.id) ? usable : [token, ...usable];
  return (
    <SelectField
      label={t("token.connect.key")}
      value={token.id}
      options={offered.map(({ id, name }) => ({ value: id, label: name || t("value.none") }))}
      onChange={onChange}
    />
  );
};
