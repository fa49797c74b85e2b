import { REFUNDED } from "../../outbox/log-content";

/** Condition of lines of consumption that are requests. A line that refunds a request does not count. */
export const IS_REQUEST = `content_id IS DISTINCT FROM (SELECT id FROM contents WHERE text = '${REFUNDED}')`;

/** The model and the token of lines that are about accounts. */
export const NO_MODEL = 0;
export const NO_TOKEN = -1;

/** The key of a row; 0 for a line about an account. */
export const keyIdOf = ({ token_id: id }: { token_id: number }): number => (id === NO_TOKEN ? 0 : id);
