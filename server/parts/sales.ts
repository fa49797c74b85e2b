import { formatError } from "../locales/format-data-fault";
import { Orders } from "../payments/orders";
import { PriceDrafts } from "../rehearsal/price-drafts";
import { Rehearsals } from "../rehearsal/rehearsals";
import { StatementPrinter } from "../statements/statement-printer";
import type { Closing } from "./closing";
import type { Foundation } from "./foundation";
import type { People } from "./people";

/** Orders, prices before they hold, and printed statements. */
export const openSales = (
  { config, files, storage, options, logger, now, nowMs }: Foundation,
  { accounts, accountTools, plans, notices }: People,
  closing: Closing,
) => {
  const orders = new Orders({
    read: storage.read.orders,
    write: storage.write.orders,
    users: accounts.users,
    plans,
    readPlans: storage.read.plans,
    readPromotions: storage.read.promotions,
    ownQuota: async (userId) =>
      (await storage.read.plans.own(userId)) - (await storage.read.plans.parked(userId)),
    options,
    notices,
    logger,
    amountUnit: accountTools.amountUnit,
    nowMs,
    addresses: config.paymentAddresses,
  });
  const priceDrafts = new PriceDrafts({
    read: storage.read.priceDrafts,
    write: storage.write.priceDrafts,
    options,
    notices,
    now,
  });
  const rehearsals = new Rehearsals({
    read: storage.read,
    write: storage.write.priceDrafts,
    options,
    workerPath: files.rehearsalWorker,
    nameOf: (id) => accounts.users.find(id)?.username,
    reportError: (error) => logger.error({ error: formatError(error) }, "a rehearsal of prices failed"),
    now,
  });
  closing.add(() => rehearsals.stop());
  const statementPrinter = new StatementPrinter({
    workerPath: files.statementWorker,
    fontPath: files.statementFont,
    reportError: (error) => logger.error({ error: formatError(error) }, "a statement could not be printed"),
  });
  closing.add(() => statementPrinter.close());
  return { orders, priceDrafts, rehearsals, statementPrinter };
};

export type Sales = ReturnType<typeof openSales>;
