import type { Services } from "../services";

/**
 * Deletes an account and the stored bodies of its requests. Its log lines stay: they record charges, and the sums
 * derive from them.
 */
export const removeUser = async (
  { accounts, storage, logger }: Pick<Services, "accounts" | "storage" | "logger">,
  id: number,
): Promise<void> => {
  await accounts.users.remove(id);
  await storage.bodies.clearUser(id).catch((error: Error) => {
    // The account is deleted anyway, and the bodies expire later.
    logger.error({ error: error.message, userId: id }, "a deleted user's bodies could not be deleted");
  });
};
