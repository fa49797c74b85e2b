import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureText } from "../../lib/failure-text";
import { useAddress } from "../../lib/use-address";
import { readCallbackSearch } from "./account-search";
import { type CallbackTarget, findCallbackTarget } from "./callback-target";
import { redirectLoginQuery } from "./finish-redirect";

/** /oauth/<name>: the target of the redirect of a sign-in method or a provider. */
export const OauthCallbackPage = () => {
  const { method: name } = useParams({ strict: false });
  const target = findCallbackTarget(name);
  return target && <OauthCallback target={target} />;
};

/** The query client reports the last failure. */
const OauthCallback = ({ target }: { target: CallbackTarget }) => {
  const { t } = useTranslation();
  const [{ code = "", state = "", iss = "" }] = useAddress(readCallbackSearch);
  const { data, isError, failureCount, failureReason } = useQuery(
    redirectLoginQuery(target, { code, state, iss }),
  );
  if (data) return <Navigate {...data} replace />;
  if (isError) return <Navigate to="/setting" replace />;
  return (
    <>
      <h1 className="sr-only">{t("oauth.title", { method: target.title })}</h1>
      <div role="status" className="flex flex-col items-center gap-3 py-24 text-center">
        <LoaderCircle aria-hidden className="size-6 animate-[spin_0.9s_linear_infinite] text-accent" />
        <p>{failureCount > 0 ? t("oauth.retry", { count: failureCount }) : t("oauth.processing")}</p>
        {failureReason && <p className="text-sm text-ink-2">{failureText(failureReason)}</p>}
      </div>
    </>
  );
};
