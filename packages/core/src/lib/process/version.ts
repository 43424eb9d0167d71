/** Version of this package, as in `User-Agent` and status answers. A test compares it with package.json. */
export const VERSION = "0.1.0";
