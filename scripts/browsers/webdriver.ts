// The package that speaks WebDriver, told to be quiet: it reads this when it loads, and prints every command otherwise.
process.env['WDIO_LOG_LEVEL'] = 'error'
export const { default: WebDriver, BidiHandler } = await import('webdriver')
