/** The name of the product as the beginning of a file name. */
export const filePrefix = (product: string): string => product.toLowerCase().replace(/\W+/g, "-");
