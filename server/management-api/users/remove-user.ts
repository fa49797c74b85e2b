import type { Services } from "../services";

/**
 * Deletes an account and what is stored of its requests' words. Its log lines stay: they name what was charged, and the
 * sums are made of them.
 */
export const removeUser = async (
  { accounts, storage, logger }: Pick<Services, "accounts" | "storage" | "logger">,
  id: number,
): Promise<void> => {
  await accounts.users.remove(id);
  await storage.bodies.clearUser(id).catch((error: Error) => {
    // The account is gone all the same, and the bodies go when they are old enough.
    logger.error({ error: error.message, userId: id }, "a deleted user's bodies could not be deleted");
  });
};
