/** Default sender of mails, and default address of the first administrator, until they are configured. */
export const UNSET_ADDRESS = "admin@localhost";
