// The default theme in colours that everybody can read.
import DefaultTheme from 'vitepress/theme'
import './style.css'

export default DefaultTheme
