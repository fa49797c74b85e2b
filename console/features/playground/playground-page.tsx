import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { UsableGroups } from "@tollgate/contract/api/groups";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { CircleSlash, Layers } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BodyNotice } from "../../components/body-notice";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { PageFrame } from "../../components/page-frame";
import { Segmented } from "../../components/segmented";
import { SelectField } from "../../components/select-field";
import { selfQuery } from "../../lib/self";
import { useSession } from "../../lib/session";
import { useStatus } from "../../lib/status";
import { usableGroupsQuery } from "../../lib/usable-groups-query";
import { useAddress } from "../../lib/use-address";
import { ChatTab } from "./chat-tab";
import { newConversation } from "./conversation";
import { modelsFor, modelsQuery } from "./models-query";
import { PLAYGROUND_TABS, type PlaygroundTab, readPlaygroundSearch } from "./playground-search";
import { type Chat, useChat } from "./use-chat";

/** Code of the tabs other than chats, each loaded with its first visit. */
const TABS = {
  image: async () => ({ default: (await import("./image-tab")).ImageTab }),
  speech: async () => ({ default: (await import("./speech-tab")).SpeechTab }),
  embedding: async () => ({ default: (await import("./embedding-tab")).EmbeddingTab }),
} as const satisfies Record<Exclude<PlaygroundTab, "chat">, unknown>;

/** /playground: tries models by the session of the user. */
export const PlaygroundPage = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const status = useStatus();
  if (status !== undefined && status.playground !== true)
    return (
      <PageFrame title={t("nav.playground")}>
        <EmptyState icon={<CircleSlash />} title={t("playground.off")} text={t("playground.offText")} />
      </PageFrame>
    );
  return (
    <PageFrame title={t("nav.playground")} description={t("playground.text")}>
      {/* Another user of the same tab must not see the conversation. */}
      <Playground key={user?.id} userId={user?.id ?? 0} />
    </PageFrame>
  );
};

const Playground = ({ userId }: { userId: number }) => {
  const { t } = useTranslation();
  const [{ tab = "chat", model }, changeAddress] = useAddress(readPlaygroundSearch);
  const [hasBegun, setBegun] = useState(false);
  const chat = useChat(userId, () => ({ ...newConversation(), models: [model ?? ""] }));
  const { conversation, change } = chat;
  const { group } = conversation;
  const { data: models, error, refetch } = useQuery(modelsQuery(group));
  const { data: self, isPending: isSelfPending } = useQuery({ ...selfQuery, meta: { silent: true } });
  const { data: groups, isPending: areGroupsPending } = useQuery(usableGroupsQuery);
  // What comes later would move the page.
  const isLoading = (models === undefined && !error) || isSelfPending || areGroupsPending;
  const names = modelsFor(tab, models ?? []);
  const [first = ""] = names;
  // A new conversation begins with a model that there is.
  if (!hasBegun && tab === "chat" && first !== "") {
    setBegun(true);
    if (conversation.models[0] === "") change((now) => ({ ...now, models: [first] }));
  }
  return (
    <div className="flex flex-col gap-4">
      <BodyNotice text={t("playground.bodiesKept")} />
      <div className="flex flex-wrap items-end gap-3">
        <Segmented
          label={t("playground.kind")}
          value={tab}
          segments={PLAYGROUND_TABS.map((value) => ({ value, label: t(`playground.tab.${value}`) }))}
          onChange={(next) => changeAddress({ tab: next === "chat" ? undefined : next })}
        />
        {!isLoading && (
          <GroupSelect
            group={group}
            usable={groups}
            onChange={(next) => change((now) => ({ ...now, group: next }))}
          />
        )}
      </div>
      {isLoading ? (
        <div className="skeleton h-96 w-full" />
      ) : (
        <>
          {self && self.quota <= 0 && <NoBalance />}
          {error ? (
            <FailedState error={error} onRetry={() => void refetch()} />
          ) : (
            <Tab tab={tab} chat={chat} userId={userId} models={names} first={model ?? first} />
          )}
        </>
      )}
    </div>
  );
};

interface TabProps {
  tab: PlaygroundTab;
  chat: Chat;
  userId: number;
  /** Names of the models, those that fit first. */
  models: readonly string[];
  /** The model to begin with. */
  first: string;
}

const Tab = ({ tab, chat, userId, models, first }: TabProps) => {
  const { t } = useTranslation();
  if (models.length === 0)
    return (
      <EmptyState icon={<Layers />} title={t("playground.noModels")} text={t("playground.noModelsText")} />
    );
  if (tab === "chat") return <ChatTab chat={chat} userId={userId} models={models} />;
  return (
    <LazyBoundary
      key={tab}
      load={TABS[tab]}
      with={{ group: chat.conversation.group, models, first }}
      fallback={<div className="skeleton h-96 w-full" />}
    />
  );
};

const NoBalance = () => {
  const { t } = useTranslation();
  return (
    <p role="note" className="rounded-lg bg-yellow-soft px-4 py-3 text-sm">
      {t("playground.noBalance")}{" "}
      <Link to="/topup" className="touch text-accent underline underline-offset-2">
        {t("playground.topUp")}
      </Link>
    </p>
  );
};

interface GroupSelectProps {
  group: string;
  /** Undefined where the server names none. */
  usable: UsableGroups | undefined;
  onChange: (group: string) => void;
}

/** The group of the requests: shown if there is a choice. */
const GroupSelect = ({ group, usable, onChange }: GroupSelectProps) => {
  const { t } = useTranslation();
  const groups = usable?.groups ?? [];
  if (groups.length < 2 && group === "") return null;
  const names = groups.map(({ name }) => name);
  const options = [
    { value: "", label: t("playground.groupOwn") },
    ...(usable && usable.auto.length > 1 ? [{ value: AUTO_GROUP, label: AUTO_GROUP }] : []),
    ...[...new Set([...names, ...(group === "" || group === AUTO_GROUP ? [] : [group])])].map((name) => ({
      value: name,
      label: name,
    })),
  ];
  return (
    <SelectField
      label={t("playground.group")}
      layout="inline"
      className="min-w-40"
      value={group}
      options={options}
      onChange={onChange}
    />
  );
};
