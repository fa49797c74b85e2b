import { useQuery } from "@tanstack/react-query";
import { Navigate, useSearch } from "@tanstack/react-router";
import { LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureText } from "../../lib/failure-text";
import { githubLoginQuery } from "./api/finish-github-login";

/** /oauth/github: where GitHub sends the person back to. The last failure's message is told by the query client. */
export const GithubCallbackPage = () => {
  const { t } = useTranslation();
  const { code = "", state = "" } = useSearch({ strict: false });
  const { data, isError, failureCount, failureReason } = useQuery(githubLoginQuery(code, state));
  if (data) return <Navigate to={data} replace />;
  if (isError) return <Navigate to="/setting" replace />;
  return (
    <>
      <h1 className="sr-only">{t("github.title")}</h1>
      <div role="status" className="flex flex-col items-center gap-3 py-24 text-center">
        <LoaderCircle aria-hidden className="size-6 animate-[spin_0.9s_linear_infinite] text-accent" />
        <p>{failureCount > 0 ? t("github.retry", { count: failureCount }) : t("github.processing")}</p>
        {failureReason && <p className="text-[13px] text-ink-2">{failureText(failureReason)}</p>}
      </div>
    </>
  );
};
