import { listOwnLogs } from "@tollgate/contract/api/logs";
import { answerTicket, assignTicket, closeOwnTicket, openTicket } from "@tollgate/contract/api/tickets";
import type { CallOf } from "@tollgate/contract/resource/endpoint";
import type { SignedIn } from "./api-client";
import { ask } from "./build-world";

/* Tickets in the demo's world: a closed one, an answered one, and one about a request that waits for an answer. */

const open = async (user: SignedIn, body: CallOf<typeof openTicket>["body"]): Promise<number> =>
  (await ask(user, openTicket, { body })).id;

const answer = (support: SignedIn, id: number, text: string, is_note = false): Promise<unknown> =>
  ask(support, answerTicket, { params: { id }, body: { text, is_note } });

/** Opens a ticket about an order by mistake. @returns its number. */
export const askForRefund = (user: SignedIn): Promise<number> =>
  open(user, {
    subject: "充错了账号，请退款",
    category: "billing",
    text: "刚才的 5 美元本来要充到公司的账号，还没有使用，请原路退回。",
  });

/** Answers the ticket after the refund, which its user then closes. */
export const answerRefund = async (support: SignedIn, user: SignedIn, id: number): Promise<void> => {
  await answer(support, id, "已原路退回，一般一到三个工作日到账。");
  await ask(user, closeOwnTicket, { params: { id } });
};

/** Opens a ticket about limits, and answers it. */
export const discussLimits = async (support: SignedIn, user: SignedIn): Promise<void> => {
  const id = await open(user, {
    subject: "批量标注时经常遇到 429",
    category: "requests",
    text: "每天 9 点开始跑批量任务，前几分钟有一部分请求被限速。\n能提高每分钟的请求数吗？",
  });
  await ask(support, assignTicket, { params: { id }, body: { is_mine: true } });
  await answer(support, id, "上游本月可到 600 RPM，提到 300 没有问题。", true);
  await answer(support, id, "可以提高到每分钟 300 次。任务能否错开整点开始？确认后我们为你调整。");
};

/** Opens a ticket with the receipt of the user's newest request. */
export const reportRequest = async (user: SignedIn): Promise<void> => {
  const lines = await ask(user, listOwnLogs, { query: { p: 0, type: 2 } });
  const request = lines.find(({ requestId }) => requestId !== "");
  await open(user, {
    subject: "这个请求的输入词元比预期多",
    category: "requests",
    text: "正文约一万字，回执上的输入多了一些。请帮忙看看是怎么计算的。",
    request_id: request?.requestId ?? "",
  });
};
