import { Link } from "@tanstack/react-router";
import type { TermsVersion } from "@tollgate/contract/api/terms";
import { FileText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { Badge } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { timeColumn } from "../../components/plain-columns";
import { formatCount } from "../../lib/format";
import { readListSearch } from "../../lib/list-search";
import { useStatus } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { useList } from "../../lib/use-list";
import { versionPages } from "./terms-queries";

/** Links to both texts of a version. */
const Texts = ({ version: { id, userAgreement, privacyPolicy } }: { version: TermsVersion }) => {
  const { t } = useTranslation();
  const texts = [
    ["/user-agreement", t("siteTerms.userAgreement"), userAgreement] as const,
    ["/privacy-policy", t("siteTerms.privacyPolicy"), privacyPolicy] as const,
  ].filter(([, , text]) => text.trim() !== "");
  if (texts.length === 0) return <span className="text-ink-3">{t("terms.withdrawn")}</span>;
  return (
    <span className="flex flex-wrap gap-x-3">
      {texts.map(([to, label]) => (
        <Link
          key={to}
          to={to}
          search={{ version: id } as never}
          className="text-accent underline-offset-2 hover:underline"
        >
          {label}
        </Link>
      ))}
    </span>
  );
};

const useColumns = (): Column<TermsVersion>[] => {
  const { t } = useTranslation();
  const current = useStatus()?.terms_version;
  return [
    {
      id: "version",
      label: t("terms.version"),
      cell: ({ id }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          {id}
          {id === current && <Badge tone="green">{t("terms.current")}</Badge>}
        </span>
      ),
      card: "head",
      className: "font-medium",
    },
    { id: "texts", label: t("terms.texts"), cell: (version) => <Texts version={version} /> },
    {
      id: "asks_again",
      label: t("terms.asks"),
      cell: ({ asksAgain }) => t(asksAgain ? "terms.asksAll" : "terms.asksNew"),
    },
    {
      id: "acceptances",
      label: t("terms.acceptances"),
      cell: ({ acceptances }) => formatCount(acceptances),
      isNumber: true,
    },
    timeColumn("published_at", t("terms.publishedAt"), ({ publishedAt }) => publishedAt),
    { id: "author", label: t("terms.author"), cell: ({ author }) => author },
  ];
};

/** /setting/terms: the versions of the site's terms, for root. */
export const TermsListPage = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readListSearch);
  const columns = useColumns();
  const list = useList({ pages: versionPages, search, columns });
  const publish = <AddLink to="/setting/terms/add">{t("terms.add")}</AddLink>;
  return (
    <ListPage
      title={t("terms.manageTitle")}
      label={t("terms.manageTitle")}
      description={t("terms.manageDescription")}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      search={search}
      onSearch={change}
      primary={publish}
      empty={<EmptyState icon={<FileText />} title={t("terms.emptyTitle")} text={t("terms.emptyText")} />}
    />
  );
};
