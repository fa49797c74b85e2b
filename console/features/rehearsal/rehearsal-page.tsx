import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Plus, Tags } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../components/admins-only";
import { Button, buttonVariants } from "../../components/button";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { DraftEditor } from "./draft-editor";
import { DraftList } from "./draft-list";
import { draftQuery } from "./price-draft-queries";
import { PublishCard } from "./publish-card";
import { RehearsalCard } from "./rehearsal-card";

interface Search {
  /** The open draft: its id, or "new". */
  draft?: string;
}

const readSearch = ({ draft }: Record<string, unknown>): Search => ({
  draft: draft === undefined || draft === "" ? undefined : String(draft),
});

/** /pricing/rehearsal: drafts of prices, tested on past usage before they are published; for administrators. */
export const RehearsalPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("prices");
  const [{ draft }, change] = useAddress(readSearch);
  if (!isAdmin)
    return (
      <PageFrame title={t("rehearsal.title")}>
        <Panel>
          <AdminsOnly title={t("rehearsal.forAdmins")} />
        </Panel>
      </PageFrame>
    );
  return (
    <PageFrame
      title={t("rehearsal.title")}
      description={t("rehearsal.description")}
      aside={
        draft === undefined ? (
          <div className="flex flex-wrap gap-2">
            <Link to="/setting/prices" className={buttonVariants()}>
              <Tags aria-hidden className="size-3.5" />
              {t("rehearsal.fromList")}
            </Link>
            <Button variant="primary" onClick={() => change({ draft: "new" })}>
              <Plus aria-hidden className="size-4" />
              {t("rehearsal.create")}
            </Button>
          </div>
        ) : (
          <Button onClick={() => change({ draft: undefined })}>
            <ArrowLeft aria-hidden className="size-3.5" />
            {t("rehearsal.allDrafts")}
          </Button>
        )
      }
    >
      {draft === undefined && <DraftList onOpen={(id) => change({ draft: id })} />}
      {draft === "new" && (
        <DraftEditor draft={undefined} onSaved={({ id }) => change({ draft: String(id) })} />
      )}
      {draft !== undefined && draft !== "new" && <OpenDraft key={draft} id={Number(draft)} />}
    </PageFrame>
  );
};

const OpenDraft = ({ id }: { id: number }) => {
  const { data: draft, error, refetch } = useQuery(draftQuery(id));
  if (!draft) return <PanelLoading error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {/* Remounts after another user has changed the draft. */}
      <DraftEditor key={draft.revision} draft={draft} onSaved={() => {}} />
      {draft.state !== "discarded" && <RehearsalCard draft={draft} />}
      {(draft.state === "draft" || draft.state === "scheduled") && <PublishCard draft={draft} />}
    </>
  );
};
