// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApplicationStaking} from "../../../src/ApplicationStaking.sol";
import {Escrow} from "../../../src/Escrow.sol";
import {Treasury} from "../../../src/Treasury.sol";
import {deploy} from "../../utils/Deploy.sol";
import {vm} from "../../utils/Vm.sol";
import {KeyWallet} from "../../utils/Wallets.sol";
import {CallingAccount, ReenteringAccount} from "./Accounts.sol";
import {FickleToken} from "./FickleToken.sol";

/// @dev The accounts of a campaign and the market that they use.
abstract contract Cast {
    uint256 internal constant FUNDS = 1_000_000 ether;
    uint16 internal constant FIRST_FEE = 500;
    uint8 internal constant FIRST_QUORUM = 3;
    uint256 internal constant FIRST_VALIDATORS = 5;

    FickleToken internal immutable token;
    Treasury internal immutable treasury;
    Escrow internal immutable escrow;
    ApplicationStaking internal immutable staking;

    CallingAccount internal immutable caller_;
    ReenteringAccount internal immutable reenterer;

    address[] internal agents;
    address[] internal humans;
    /// @dev The initial validators and the candidates for later panels. None of them is ever a
    /// party.
    address[] internal candidates;
    address internal immutable owner;
    address internal immutable guardian;
    address internal immutable heir;
    address internal immutable stranger;
    address internal immutable donor;

    /// @dev All accounts that can make calls or be paid. The last is the treasury, which makes no
    /// calls.
    address[] internal allAccounts;
    mapping(address account => uint256) internal keyOf;

    constructor() {
        (caller_, reenterer) = (new CallingAccount(), new ReenteringAccount());
        token = new FickleToken(reenterer);
        _castParties();
        _castValidators();
        (owner, guardian, heir) = (_keyHolder(0xD1), _keyHolder(0xD2), _keyHolder(0xD3));
        (stranger, donor) = (_keyHolder(0xD4), _keyHolder(0xD5));
        treasury = Treasury(deploy("Treasury", abi.encode(owner)));
        escrow = Escrow(deploy("Escrow", _escrowArguments()));
        staking = ApplicationStaking(address(escrow.applicationStaking()));
        allAccounts.push(address(treasury));
    }

    /// @dev Creates the humans: one that is also an agent, one plain account, one that calls
    /// through a contract, one that reenters, one key that delegates to code (EIP-7702), and one
    /// that the token initially blocks.
    function _castParties() private {
        for (uint256 key = 0xA1; key <= 0xA3; ++key) {
            agents.push(_keyHolder(key));
        }
        humans = [
            agents[0],
            _keyHolder(0xB1),
            _register(address(caller_)),
            _register(address(reenterer)),
            _keyHolder(0xB2),
            _keyHolder(0xB3)
        ];
        vm.etch(humans[4], abi.encodePacked(hex"ef0100", address(caller_)));
    }

    /// @dev Creates the validators. The second is a smart account; the third is a key that
    /// delegates to code (EIP-7702).
    function _castValidators() private {
        for (uint256 key = 0xE1; key <= 0xEC; ++key) {
            if (key == 0xE2) {
                address wallet = _register(address(new KeyWallet(vm.addr(key))));
                keyOf[wallet] = key;
                candidates.push(wallet);
            } else {
                candidates.push(_keyHolder(key));
            }
        }
        vm.etch(candidates[2], abi.encodePacked(hex"ef0100", address(caller_)));
    }

    function _escrowArguments() private view returns (bytes memory) {
        address[] memory first = new address[](FIRST_VALIDATORS);
        for (uint256 i = 0; i < FIRST_VALIDATORS; ++i) {
            first[i] = candidates[i];
        }
        return abi.encode(token, address(treasury), owner, guardian, FIRST_FEE, first, FIRST_QUORUM);
    }

    function _keyHolder(uint256 key) private returns (address account) {
        account = _register(vm.addr(key));
        keyOf[account] = key;
    }

    function _register(address account) private returns (address) {
        allAccounts.push(account);
        return account;
    }

    /// @dev Whether the validator is a smart account, which signs with its owner's key.
    function _isWallet(address validator) internal view returns (bool) {
        return validator == candidates[1];
    }

    /// @dev Whether the account can sign permits. Smart accounts cannot, because the token verifies
    /// only key signatures.
    function _canPermit(address account) internal view returns (bool) {
        return keyOf[account] != 0 && !_isWallet(account);
    }

    function _custodies() internal view returns (address[2] memory) {
        return [address(escrow), address(staking)];
    }
}
