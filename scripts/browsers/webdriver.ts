// Imports the WebDriver package with its log turned off: it reads the level when it loads, and otherwise prints every command.
process.env['WDIO_LOG_LEVEL'] = 'error'
export const { default: WebDriver, BidiHandler } = await import('webdriver')
