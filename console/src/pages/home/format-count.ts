export const formatCount = new Intl.NumberFormat().format;
