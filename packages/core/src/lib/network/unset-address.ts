/** Default address of the sender of mails, and of the first administrator, until they are set. */
export const UNSET_ADDRESS = "admin@localhost";
