package interop;

import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/** Spring Authorization Server as Boot configures it: a user, a client, the app's origin. */
@SpringBootApplication
public class Server {
  public static void main(String[] arguments) {
    SpringApplication.run(Server.class, arguments);
  }

  @Bean
  InMemoryUserDetailsManager users() {
    return new InMemoryUserDetailsManager(user("ada"), user("bob"));
  }

  private UserDetails user(String name) {
    return User.withUsername(name).password("{noop}not-a-secret").roles("STAFF").build();
  }

  @Bean
  InMemoryRegisteredClientRepository clients(@Value("${app}") List<String> addresses) {
    return new InMemoryRegisteredClientRepository(client("admin", addresses), client("stranger", addresses));
  }

  private RegisteredClient client(String id, List<String> addresses) {
    return RegisteredClient.withId(id)
        .clientId(id)
        .clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .redirectUris(all -> all.addAll(addresses))
        .postLogoutRedirectUris(all -> all.addAll(addresses))
        .scopes(all -> all.addAll(List.of("openid", "profile")))
        .clientSettings(ClientSettings.builder().requireProofKey(true).requireAuthorizationConsent(true).build())
        .tokenSettings(TokenSettings.builder().accessTokenTimeToLive(Duration.ofSeconds(60)).build())
        .build();
  }

  @Bean
  UrlBasedCorsConfigurationSource corsConfigurationSource(@Value("${app.origin}") String origin) {
    CorsConfiguration rules = new CorsConfiguration();
    rules.addAllowedOrigin(origin);
    rules.addAllowedHeader("*");
    rules.addAllowedMethod("*");
    UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
    source.registerCorsConfiguration("/**", rules);
    return source;
  }
}
