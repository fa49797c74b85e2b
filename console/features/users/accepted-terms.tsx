import { useQuery } from "@tanstack/react-query";
import { listAcceptances } from "@tollgate/contract/api/terms";
import { useTranslation } from "react-i18next";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatDate } from "../../lib/format";

/** The newest version of the site's terms that a user accepted. */
export const AcceptedTerms = ({ userId }: { userId: number }) => {
  const { t } = useTranslation();
  const { data, error } = useQuery(endpointQuery(listAcceptances, { params: { id: userId } }));
  if (error) return t("user.termsUnknown");
  if (!data)
    return <span role="status" aria-label={t("page.loading")} className="skeleton inline-block h-4 w-24" />;
  const [newest] = data;
  return newest
    ? t("user.termsAccepted", {
        version: newest.version,
        time: formatDate(new Date(newest.acceptedAt * 1000)),
      })
    : t("user.termsNotAccepted");
};
