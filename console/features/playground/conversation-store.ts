import * as z from "zod/mini";
import { readStored, readStoredJson, writeStored } from "../../lib/local-store";
import { type Conversation, conversationSchema } from "./conversation";

/*
 * Conversations stay in this browser, apart for each user. Local storage has room for a few megabytes, so that pictures
 * and files are left out, and the oldest conversations make room.
 */

export const MAX_CONVERSATIONS = 100;
/** Characters of all stored conversations of a user. */
const MAX_STORED = 2_000_000;

const keyOf = (userId: number): string => `playground_${userId}`;

const withoutFiles = (conversation: Conversation): Conversation => ({
  ...conversation,
  turns: conversation.turns.map((turn) => ({
    ...turn,
    attachments: turn.attachments.map((each) => ({ ...each, data: "" })),
  })),
});

const listSchema = z.array(z.unknown());

/** The conversations of a user, the newest first; damaged ones are left out. */
export const readConversations = (userId: number): Conversation[] => {
  const list = listSchema.safeParse(readStoredJson(keyOf(userId)));
  if (!list.success) return [];
  return list.data.flatMap((each) => conversationSchema.safeParse(each).data ?? []);
};

/** For useSyncExternalStore: the same text as long as nothing changes. */
export const storedText = (userId: number): string | undefined => readStored(keyOf(userId));

/** Stores conversations as far as they have room, the newest first. */
const store = (userId: number, conversations: readonly Conversation[]): void => {
  const kept: string[] = [];
  let size = 0;
  const newest = conversations.toSorted((a, b) => b.changedAt - a.changedAt).slice(0, MAX_CONVERSATIONS);
  for (const conversation of newest) {
    const text = JSON.stringify(withoutFiles(conversation));
    size += text.length;
    // One that is too large by itself must not push out all the others.
    if (size > MAX_STORED) {
      size -= text.length;
      continue;
    }
    kept.push(text);
  }
  writeStored(keyOf(userId), kept.length === 0 ? undefined : `[${kept.join(",")}]`);
};

/** Adds a conversation, or replaces it. One without a message is not kept. */
export const saveConversation = (userId: number, conversation: Conversation): void => {
  if (conversation.turns.length === 0) return;
  const others = readConversations(userId).filter(({ id }) => id !== conversation.id);
  store(userId, [conversation, ...others]);
};

export const renameConversation = (userId: number, id: string, title: string): void =>
  store(
    userId,
    readConversations(userId).map((each) => (each.id === id ? { ...each, title } : each)),
  );

export const deleteConversation = (userId: number, id: string): void =>
  store(
    userId,
    readConversations(userId).filter((each) => each.id !== id),
  );
